import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'

it('stops at a port where no table service responds', async () => {
  const server = createServer((socket) => socket.destroy())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const target = `AccountName=contoso;AccountKey=c2VjcmV0;TableEndpoint=http://127.0.0.1:${port}/contoso`
  const { code, printed } = await runCli(['doctor', '--target', target])
  server.close()
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(/failed {4}service: http:.*\/contoso does not respond: \w+\.\n.*\n$/),
  ])
})
