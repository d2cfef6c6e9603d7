import * as schema from '../src/sqlite/database/schema.ts';

// drizzle-kit reads the exports.
module.exports = { ...schema, ...schema.tables };
