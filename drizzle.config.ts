import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/sqlite/schema.ts', './src/sqlite/safety-schema.ts'],
  out: './drizzle',
});
