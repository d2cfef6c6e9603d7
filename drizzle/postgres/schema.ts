import * as schema from '../../src/postgres/database/schema.ts';

// drizzle-kit reads the exports.
module.exports = { ...schema, ...schema.tables };
