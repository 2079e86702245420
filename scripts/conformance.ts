/**
 * Runs the conformance scenarios on an account of yours, and reports each of them. It makes tables of its own,
 * whose names begin with `rowkey` and 12 random digits, and removes them.
 *
 *     npm run tool conformance -- '<connection string>'
 *     AZURE_ACCOUNT_NAME=contoso AZURE_ACCOUNT_KEY=… npm run tool conformance
 *
 * The variables of Azure's tools work too: AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT and
 * AZURE_STORAGE_KEY. The scenarios need an account key or an account SAS with all permissions for tables.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [connectionString] = process.argv.slice(2)
const { AZURE_ACCOUNT_NAME, AZURE_ACCOUNT_KEY, ...environment } = process.env

const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--config', 'test/conformance/account/vitest.config.ts', '--reporter=verbose'],
  {
    stdio: 'inherit',
    env: {
      ...environment,
      ...(AZURE_ACCOUNT_NAME === undefined ? {} : { AZURE_STORAGE_ACCOUNT: AZURE_ACCOUNT_NAME }),
      ...(AZURE_ACCOUNT_KEY === undefined ? {} : { AZURE_STORAGE_KEY: AZURE_ACCOUNT_KEY }),
      ...(connectionString === undefined
        ? {}
        : { AZURE_STORAGE_CONNECTION_STRING: connectionString }),
    },
  },
)
process.exitCode = status ?? 1
