import { createCommandLogStore } from '../../src/sqlite/accounts/command-log.ts';
import { commandLogSuite } from './command-log.suite.ts';
import { createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();

commandLogSuite('sqlite', createCommandLogStore(openIn(newFolder())));
