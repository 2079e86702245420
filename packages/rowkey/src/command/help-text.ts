/** What `rowkey --help` prints. */
export const HELP_TEXT = `rowkey: an embedded Azure table service, for development, tests and small deployments

Usage:
  rowkey serve [options]     starts the service and prints its connection string
  rowkey --help              prints this
  rowkey --version           prints the version

Options of serve:
  --data <folder>            keeps the tables in a folder, which is made when it is not there
  --in-memory                keeps the tables in memory until the service stops (the default)
  --port <number>            listens on this port; 0 takes any that is free (default: 10002)
  --host <address>           listens on this address (default: 127.0.0.1, this machine alone)
  --allow-host <name>        takes requests to this host name, and those below it, as well as to
                             addresses and this machine's names; may be given several times
                             (default: no other name at a loopback address, any at another)
  --account <name=key>       an account and its key in base64; may be given several times
                             (default: devstoreaccount1 with its well-known key)

The service stops on Ctrl+C or SIGTERM: it answers what it has been asked, then exits with 0.
A second signal stops it at once. What it does not know ends it with 2, any other failure with 1.

Example:
  rowkey serve --data ./data --port 10002
`
