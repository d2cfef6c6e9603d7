import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/postgres/database/schema.ts'],
  out: './drizzle/postgres',
});
