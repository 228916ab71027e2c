// Loaded before each test file of `npm test -- --only-db`.
import { recordStatements } from './executed-statements.ts';

if (process.env.TEST_RUN_FOLDER) recordStatements(process.env.TEST_RUN_FOLDER);
