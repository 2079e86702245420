import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { comparison, keyOfRaw, literalOf } from '@rowkey/odata'
import { type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { scanRows } from '../../../packages/patterns/src/rows/scan-rows.ts'

const inSales = comparison('PartitionKey', 'eq', literalOf('Sales', 'String'))

describe('transactionsOf and scanRows', () => {
  it('end a scan whose pages lead in a circle', async () => {
    const { transport, connectionString } = localTableService()
    const looping: Transport = async (request, limits) => {
      const response = await transport(request, limits)
      if (request.method !== 'GET') return response
      const token = { 'x-ms-continuation-nextpartitionkey': '1!8!U2FsZXM-' }
      return { ...response, headers: { ...response.headers, ...token } }
    }
    const service = tableService({ connectionString: connectionString(), transport: looping })
    await new Account(service).createTable('rows')
    const table = { service, name: 'rows' }
    const scan = async () => {
      for await (const raw of scanRows(table, inSales, {})) keyOfRaw(raw)
    }
    await expect(scan()).rejects.toMatchObject({ code: 'ContinuationLoop' })
  })
})
