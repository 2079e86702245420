/** What `rowkey --help` prints. */
export const HELP_TEXT: string = `rowkey: an embedded Azure table service, for development, tests and small deployments

Usage:
  rowkey serve [options]     starts the service and prints its connection string
  rowkey <command> --help    prints the help of a command of @rowkey/cli
  rowkey --help              prints this
  rowkey --version           prints the version

Options of serve:
  --data <folder>            keeps the tables in a folder, which is created when it is missing
  --flavour <storage|cosmos> imitates Azure Storage (the default) or Cosmos DB for Table
  --in-memory                keeps the tables in memory until the service stops (the default)
  --port <number>            listens on this port; 0 selects a free one (default: 10002)
  --host <address>           listens on this address (default: 127.0.0.1, only this machine)
  --allow-host <name>        also accepts requests to this host name and its subdomains; repeatable
                             (default: at a loopback address only the names of this machine,
                             at any other address every name)
  --account <name=key>       an account and its key in base64; repeatable
                             (default: devstoreaccount1 with its well-known key)
  --seed <file>              stores the first rows of tables that do not exist yet, from JSON:
                             { "people": [{ "PartitionKey": "a", "RowKey": "b" }] }
  --log <text|json>          prints a line for each request
  --cert <file>              serves https with this certificate (PEM); needs --key
  --key <file>               the private key of the certificate (PEM)
  --oauth <basic>            accepts bearer tokens with a valid issuer, audience and time, without a
                             check of their signature; needs --cert

Each option but --in-memory can be a variable of the environment instead: ROWKEY_PORT for --port,
ROWKEY_ALLOW_HOST for --allow-host. GET /_health answers 200 while the service listens.

All other commands, such as query, export and studio, are in @rowkey/cli, a package of its own.

The service stops on Ctrl+C or SIGTERM: it completes pending requests and exits with 0. A second
signal stops it at once. Invalid arguments exit with 2, any other failure with 1.

Example:
  rowkey serve --data ./data --port 10002
`
