/**
 * Puts faults on real sockets between any client and any table service on this machine.
 *
 *     npm run tool fault-proxy -- --target http://127.0.0.1:10002 --port 10012 --rate 0.1 --seed 42
 *     npm run tool fault-proxy -- --target http://127.0.0.1:10002 --fault "reset after" --rate 1
 *
 * Give the client `http://127.0.0.1:10012/devstoreaccount1` as its endpoint. Ctrl+C ends the proxy, which then
 * prints how often each fault happened.
 */
import { parseArgs } from 'node:util'
import { seededRandom } from '@rowkey/local'
import { type SocketFault, socketFaults, startFaultProxy } from '../test/support/fault-proxy.ts'

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'http://127.0.0.1:10002' },
    port: { type: 'string', default: '10012' },
    rate: { type: 'string', default: '0.1' },
    seed: { type: 'string', default: '1' },
    lateness: { type: 'string', default: '5000' },
    fault: { type: 'string', multiple: true, default: [...socketFaults] },
  },
})
const faults = values.fault.filter((each): each is SocketFault =>
  socketFaults.some((known) => known === each),
)
const unknown = values.fault.filter((each) => !faults.some((known) => known === each))
if (unknown.length > 0) {
  console.error(`Unknown faults: ${unknown.join(', ')}. Use: ${socketFaults.join(', ')}.`)
  process.exit(1)
}
const random = seededRandom(Number(values.seed))
const proxy = await startFaultProxy({
  target: values.target,
  port: Number(values.port),
  lateness: Number(values.lateness),
  async choose({ method, path }) {
    if (random() >= Number(values.rate)) return undefined
    const fault = faults[Math.floor(random() * faults.length)]
    console.log(`${method} ${path.split('?')[0]}: ${fault}`)
    return fault
  },
})
console.log(`${proxy.origin} passes requests on to ${values.target}`)
process.on('SIGINT', async () => {
  await proxy.close()
  console.log([...proxy.fired].map((entry) => entry.join(' ')).join(', '))
})
