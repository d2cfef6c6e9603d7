DROP TABLE `command_log`;
