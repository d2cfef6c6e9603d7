-- breaking
DROP TABLE "command_log" CASCADE;
