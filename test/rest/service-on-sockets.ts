import { localTableService } from '@rowkey/local'
import { type HttpRequest, tableService, undiciTransport } from '@rowkey/rest'
import { type SocketFault, startFaultProxy } from '../support/fault-proxy.ts'
import type { Fault } from '../vectors/lost-responses.ts'
import { act, type FaultyService, type faultyService, isDone, storedIn } from './faulty-service.ts'
import { START } from './service-over.ts'

const HOUR = 3_600_000

/** The same on a socket. A connection breaks by a reset, or in order, by turns. */
const onSockets: Readonly<Record<Fault, readonly SocketFault[]>> = {
  pass: [],
  refused: [],
  'lost before': ['reset before', 'close before'],
  'lost after': ['reset after', 'close after'],
  'silent after': ['silent after'],
  busy: ['busy'],
  throttled: ['throttled'],
  'failing before': ['failing before'],
  'failing after': ['failing after'],
  'gateway after': ['gateway after'],
  'cut after': ['cut after'],
  'page after': ['page after'],
}

/** Chooses the next fault of a kind. */
export function socketFaultOf(fault: Fault, number: number): SocketFault | undefined {
  const choices = onSockets[fault]
  return choices[number % choices.length]
}

/** A faulty service behind real sockets, which must be closed. */
export interface ServiceOnSockets extends FaultyService {
  close(): Promise<void>
}

/** Makes a {@link FaultyService} over HTTP, with a proxy that plays the faults. */
export async function serviceOnSockets(
  ...[turns, before, settings]: Parameters<typeof faultyService>
): Promise<ServiceOnSockets> {
  let now = START - HOUR
  const local = localTableService({ now: () => now })
  const { connectionString, close } = await local.listen({ port: 0 })
  const clock = { now: () => now, random: () => 0.5, sleep: async () => {} }
  const rival = tableService({
    ...{ connectionString: local.connectionString(), transport: local.transport, ...clock },
  })
  const requests: HttpRequest[] = []
  const left = [...turns]
  const done: string[] = []
  const proxy = await startFaultProxy({
    target: new URL(addressIn(connectionString)).origin,
    async choose({ method, path, headers, body }) {
      const sent = { method, origin: '', path, query: '', headers, body }
      requests.push(sent as HttpRequest) // from undici, which sends each header once
      now += 1000
      const turn = left.shift() ?? 'pass'
      if (typeof turn === 'string') return socketFaultOf(turn, requests.length)
      // A rival that comes too late changes nothing.
      await act(rival, turn[0]).catch(() => {})
      return socketFaultOf(turn[1], requests.length)
    },
    onServed({ method, path }, response) {
      if (method !== 'GET' && isDone(response)) done.push(path)
    },
  })
  await before(rival)
  now = START
  const address = addressIn(connectionString)
  const service = tableService({
    connectionString: connectionString.replace(new URL(address).origin, proxy.origin),
    transport: undiciTransport(),
    ...clock,
    ...settings,
  })
  return {
    ...{ service, rival, requests, left },
    done: () => done.length,
    transactions: () => done.filter((path) => path.endsWith('/$batch')).length,
    stored: () => storedIn(rival),
    async close() {
      await service.close()
      await proxy.close()
      await close()
    },
  }
}

function addressIn(connectionString: string): string {
  return /TableEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? ''
}
