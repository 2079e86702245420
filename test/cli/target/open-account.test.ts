import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { openTables } from '../with-tables.ts'

it('names the command in the User-Agent of its requests', async () => {
  const agents: unknown[] = []
  const server = createServer(({ headers }, response) => {
    agents.push(headers['user-agent'])
    response.setHeader('content-type', 'application/json;odata=minimalmetadata').end('{"value":[]}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const target = `AccountName=${DEVELOPMENT_ACCOUNT};AccountKey=${DEVELOPMENT_KEY};TableEndpoint=http://127.0.0.1:${port}/${DEVELOPMENT_ACCOUNT}`
  expect(await runCli('tables', { target })).toMatchObject({ code: 0 })
  expect(agents).toEqual([expect.stringMatching(/^rowkey-cli rowkey\/\S+ \(node /)])
  server.closeAllConnections()
  server.close()
})

it('warns of a signature that covers only some keys of its table', async () => {
  await using tables = await openTables()
  const people = tables.account.table('people')
  await people.create()
  for (const city of ['a', 'b']) await people.insert(new DynamicEntity(city, '1'))
  const { token } = people.sas({
    permissions: 'r',
    protocol: 'https,http',
    expiry: new Date(Date.now() + 3_600_000),
    from: { partitionKey: 'b' },
  })
  const [, endpoint] = /TableEndpoint=([^;]+)/.exec(tables.target) ?? []
  const target = `${endpoint}?${token}`
  expect(await runCli('count people --scan', { target })).toEqual({
    code: 0,
    printed: '1\n',
    warned:
      'rowkey: the signature covers only keys from b to the last. Other rows seem to be missing.\n',
  })
})
