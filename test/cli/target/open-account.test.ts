import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'

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
