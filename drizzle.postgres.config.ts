import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./drizzle/postgres/schema.ts'],
  out: './drizzle/postgres',
});
