// A worker that runs on a server and has the account key.
import { connect } from 'rowkey'
import { conformance } from './conformance.ts'

export default {
  async fetch(_request: Request, { TABLES }: { TABLES: string }): Promise<Response> {
    try {
      connect(TABLES)
      return new Response('a key without runsOnServer must be rejected', { status: 500 })
    } catch {
      // As it should be.
    }
    try {
      return new Response(await conformance(connect(TABLES, { runsOnServer: true })))
    } catch (error) {
      return new Response(String((error as Error).stack), { status: 500 })
    }
  },
}
