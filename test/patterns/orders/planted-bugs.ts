import type { Transport } from '@rowkey/rest'
import type { Scope } from './every-order.ts'
import type { Bug } from './small-world.ts'

/** A bug, and the programs that find it. */
export interface PlantedBug {
  readonly program: string
  readonly scope: Scope
  readonly bug: Bug
}

/** What is before each change of a transaction. */
const BOUNDARY = '--changeset_rowkey\r\n'

/** Sends other changes than the client wrote. */
const changing =
  (makeChange: () => (change: string) => string): Bug =>
  (serve) => {
    const change = makeChange()
    return (request) =>
      serve({ ...request, body: request.body?.split(BOUNDARY).map(change).join(BOUNDARY) })
  }

/** Overwrites what exists, where the client inserts rows of some keys. */
const overwriting = (start: string): Bug => {
  const insert = new RegExp(
    `POST (\\S+)( HTTP[^]*"PartitionKey":"([^"]*)","RowKey":"(${start}[^"]*)")`,
  )
  return changing(
    () => (change) => change.replace(insert, "PUT $1(PartitionKey='$3',RowKey='$4')$2"),
  )
}

/** Stores rows under keys that nothing looks for. */
const misplacing = (start: string, isMeant: (change: string) => boolean = () => true): Bug =>
  changing(
    () => (change) =>
      isMeant(change) ? change.replace(`"RowKey":"${start}`, '"RowKey":"lost~') : change,
  )

/** Applies the changes of a rejected transaction, but for the one that was rejected. */
const applyingParts =
  (serve: Transport): Transport =>
  async (request) => {
    const response = await serve(request)
    const failed = /"value":"(\d+):/.exec(response.body)?.[1]
    const parts = request.body?.split(BOUNDARY) ?? []
    if (failed === undefined || parts.length < 3) return response
    const rest = parts.filter((_, at) => at !== Number(failed) + 1)
    await serve({ ...request, body: rest.join(BOUNDARY) })
    return response
  }

/** Bugs that each search must find, in words that complete "a service or a client that …". */
export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  'gives each attempt of a write a marker of its own': {
    program: 'exact inserts and a delete of one row',
    scope: { clients: 'AB', faults: 2, passes: 0 },
    bug: changing(() => {
      let attempts = 0
      return (change) => change.replace(/~rk~op~[^"]*/, (marker) => `${marker}-${++attempts}`)
    }),
  },
  'overwrites markers': {
    program: 'exact inserts and a delete of one row',
    scope: { clients: 'AC', faults: 1, passes: 0 },
    bug: overwriting('~rk~op~'),
  },
  'stores fences elsewhere': {
    program: 'exact inserts and a delete of one row',
    scope: { clients: 'A', faults: 3, passes: 0 },
    bug: misplacing('~rk~op~', (change) => change.includes('"k":"fence"')),
  },
  'overwrites a row that exists': {
    program: 'exact inserts and a delete of one row',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: overwriting('empid_'),
  },
  'ignores the ETags of merges': {
    program: 'exact merges of one counter',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: changing(() => (change) => change.replace(/If-Match: .*/, 'If-Match: *')),
  },
  'forgets a property of merges': {
    program: 'modify of one counter',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: changing(
      () => (change) => change.replace(/,"salary@odata.type":"Edm.Double","salary":2.0/, ''),
    ),
  },
  'overwrites the entry of a unique value': {
    program: 'writes of one unique value',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: overwriting('~rk~ix~'),
  },
  'misses rows of a scan': {
    program: 'a build of an index beside writers',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: (serve) => async (request) => {
      const response = await serve(request)
      const isScan = request.method === 'GET' && request.path.endsWith('/staff()')
      return isScan ? { ...response, body: '{"value":[]}' } : response
    },
  },
  'loses announcements': {
    program: 'an outbox and its worker',
    scope: { clients: 'AC', faults: 0, passes: 0 },
    bug: misplacing('~rk~qu~', (change) => change.includes('"DequeueCount":0')),
  },
  'loses messages': {
    program: 'an outbox and its worker',
    scope: { clients: 'AC', faults: 0, passes: 0 },
    bug: misplacing('~rk~ob~', (change) => !change.includes('~."')),
  },
  'applies parts of a rejected transaction': {
    program: 'an outbox and its worker',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: applyingParts,
  },
  'shows received messages': {
    program: 'receivers of a queue',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: (serve) => (request) =>
      serve({ ...request, query: request.query.replace(/(qu~)\d+/, '$19') }),
  },
  'does not hide received messages': {
    program: 'receivers of a queue',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: changing(() => (change) => change.replace(/("RowKey":"~rk~qu~)\d+/, '$1001795176000000')),
  },
}
