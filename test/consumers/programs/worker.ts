// A worker that runs on a server and has the account key.
import { type Account, connect, DynamicEntity } from 'rowkey'
import { conformance } from './conformance.ts'

interface Env {
  /** A connection string. */
  readonly TABLES: string
  /** Whether the worker can make a shared access signature: `yes` or `no`. */
  readonly SIGNS: string
}

export default {
  async fetch(_request: Request, { TABLES, SIGNS }: Env): Promise<Response> {
    try {
      connect(TABLES)
      return new Response('a key without runsOnServer must be rejected', { status: 500 })
    } catch {
      // As it should be.
    }
    try {
      const account = connect(TABLES, { runsOnServer: true })
      if (SIGNS === 'yes') await useSas(account, TABLES)
      else rejectSas(account)
      return new Response(await conformance(account))
    } catch (error) {
      return new Response(String((error as Error).stack), { status: 500 })
    }
  },
}

function makeSas(account: Account): string {
  const expiry = new Date(Date.now() + 3_600_000)
  return account.table('signed').sas({ permissions: 'ra', expiry }).token
}

/** Writes and reads with a signature that the worker makes. */
async function useSas(account: Account, connectionString: string): Promise<void> {
  await account.createTable('signed')
  const endpoint = /TableEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? ''
  const guest = connect({ endpoint, credential: { sas: makeSas(account) } })
  await guest.table('signed').insert(new DynamicEntity('p', 'r'))
  await guest.table('signed').get(['p', 'r'])
  await guest.close()
  await account.deleteTable('signed')
}

function rejectSas(account: Account): void {
  try {
    makeSas(account)
  } catch (error) {
    if (String(error).includes('nodejs_compat')) return
    throw error
  }
  throw new Error('a signature without nodejs_compat must be rejected')
}
