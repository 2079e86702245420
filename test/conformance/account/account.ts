import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { environmentAddress, undiciTransport } from '@rowkey/rest'
import { describe } from 'vitest'
import { type ConformanceHost, describeConformance } from '../describe-conformance.ts'
import { jsonOf, ServiceClient } from '../service-client.ts'

const address = environmentAddress(process.env)
/** Another one in each run, so that the run can remove its own tables and leaves all others alone. */
const prefix = `rowkey${randomBytes(6).toString('hex')}n`

async function openAccount(): Promise<ConformanceHost> {
  const transport = undiciTransport()
  const client = new ServiceClient(address, transport)
  return {
    client,
    prefix,
    async close() {
      await removeTables(client)
      await transport.close?.()
    },
  }
}

async function removeTables(client: ServiceClient): Promise<void> {
  const own = `TableName%20ge%20'${prefix}'%20and%20TableName%20lt%20'${prefix}~'`
  const listed = await client.send('GET', `/Tables?$filter=${own}`)
  const { value } = jsonOf(listed) as { value: { TableName: string }[] }
  for (const { TableName } of value) await client.send('DELETE', `/Tables('${TableName}')`)
}

describe(`the account ${address.endpoint.account}`, () => {
  describeConformance(openAccount, ({ emulatorOnly }) => emulatorOnly)
})
