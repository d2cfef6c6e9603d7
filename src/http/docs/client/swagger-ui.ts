/** What the page uses of Swagger UI, which has no types. */
export interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
  readonly specActions: {
    changeParam(
      operation: readonly [path: string, method: string],
      name: string,
      location: string,
      value: string,
    ): void;
  };
}

/** A response that Swagger UI has received, of the document or of an operation. */
export interface SwaggerResponse {
  readonly url: string;
  readonly status: number;
  text: string;
}
