import type { Form } from './forms.ts';
import type { RequestContext, SignedInContext } from './request.ts';

type Params = Readonly<Record<string, string>>;

/**
 * One route of the panel. Who may take it stands beside its path, and whoever may not never reaches
 * its code; what changes something is a POST, and its form was checked before.
 */
export type Route =
  | {
      readonly method: 'GET';
      readonly path: string;
      readonly who: 'anyone';
      answer(context: RequestContext, params: Params): Promise<Response>;
    }
  | {
      readonly method: 'GET';
      readonly path: string;
      readonly who: 'signed-in' | 'operator';
      answer(context: SignedInContext, params: Params): Promise<Response>;
    }
  | {
      readonly method: 'POST';
      readonly path: string;
      readonly who: 'anyone';
      answer(context: RequestContext, params: Params, form: Form): Promise<Response>;
    }
  | {
      readonly method: 'POST';
      readonly path: string;
      readonly who: 'signed-in' | 'operator';
      answer(context: SignedInContext, params: Params, form: Form): Promise<Response>;
    };
