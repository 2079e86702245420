import { OPTIONS_TEXT } from './serve-options.ts'

/** What `rowkey serve --help` prints, and `rowkey --help` without `@rowkey/cli`. */
export const HELP_TEXT: string = `rowkey: an embedded Azure table service, for development, tests and small deployments

Usage:
  rowkey serve [options]     starts the service and prints its connection string
  rowkey --help              prints all commands, when @rowkey/cli is installed, and else this
  rowkey --version           prints the version

Options of serve:
${OPTIONS_TEXT}

Each option but --in-memory can be a variable of the environment instead: ROWKEY_PORT for --port,
ROWKEY_ALLOW_HOST for --allow-host. GET /_health answers 200 while the service listens.

All other commands, such as query, export and studio, are in @rowkey/cli, a package of its own:
npm install @rowkey/cli

The service stops on Ctrl+C or SIGTERM: it completes pending requests and exits with 0. A second
signal stops it at once. Invalid arguments exit with 2, any other failure with 1.

Example:
  rowkey serve --data ./data --port 10002
`
