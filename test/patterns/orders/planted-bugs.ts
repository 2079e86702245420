import type { HttpRequest, HttpResponse, Transport } from '@rowkey/rest'
import type { Scope } from './every-order.ts'
import { type Bug, LONG_WAIT } from './small-world.ts'

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
  ({ serve }) => {
    const change = makeChange()
    return {
      serve: (request) =>
        serve({ ...request, body: request.body?.split(BOUNDARY).map(change).join(BOUNDARY) }),
    }
  }

/** Shows the client other answers than the service gave. */
const answering =
  (change: (request: HttpRequest, body: string) => string): Bug =>
  ({ serve }) => ({
    async serve(request) {
      const response = await serve(request)
      return { ...response, body: change(request, response.body) }
    },
  })

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

/** Writes the rows of some keys whatever their version is. */
const forcing = (start: string): Bug =>
  changing(
    () => (change) =>
      change.includes(encodeURIComponent(start)) || change.includes(start)
        ? change.replace(/If-Match: .*/, 'If-Match: *')
        : change,
  )

/** Waits for no other client. */
const restless: Bug = ({ sleep }) => ({
  sleep: async (delay) => (delay >= LONG_WAIT ? undefined : sleep(delay)),
})

/** Lets one client find a text in no catalogue. */
const forgetting =
  (client: string, text: string): Bug =>
  (means) =>
    means.name === client ? answering((_, body) => body.replaceAll(text, ''))(means) : {}

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

/** Answers the read of a row after an insert as it answered the one before. */
const staleRows: Bug = ({ serve }) => {
  const rows = new Map<string, HttpResponse>()
  let hasInserted = false
  return {
    async serve(request) {
      const known = rows.get(request.path)
      if (hasInserted && request.method === 'GET' && known !== undefined) {
        hasInserted = false
        return known
      }
      const response = await serve(request)
      hasInserted = request.method === 'POST' && !request.path.endsWith('$batch')
      if (request.path.includes('empid_')) rows.set(request.path, response)
      return response
    },
  }
}

const BUILD = 'a build of an index beside writers'
const DROP = 'a drop of an index beside its users'
const FAR = 'followers of an index of other partitions'

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
    program: BUILD,
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: answering((request, body) =>
      request.method === 'GET' && request.path.endsWith('/staff()') ? '{"value":[]}' : body,
    ),
  },
  'takes a table of rows for an empty one': {
    program: BUILD,
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: answering(({ query }, body) => (query.endsWith('$top=1') ? '{"value":[]}' : body)),
  },
  'looks a last time before other clients know of it': {
    program: BUILD,
    scope: { clients: 'AD', faults: 0, passes: 0 },
    bug: restless,
  },
  'does not see that a definition is closed': {
    program: BUILD,
    scope: { clients: 'AD', faults: 0, passes: 0 },
    bug: forgetting('D', String.raw`,\"closed\":true`),
  },
  'repairs rows that have changed': {
    program: BUILD,
    scope: { clients: 'AC', faults: 0, passes: 0 },
    bug: forcing('empid_'),
  },
  'builds what another client has dropped': {
    program: DROP,
    scope: { clients: 'AE', faults: 0, passes: 0 },
    bug: forcing('~rk~cat~'),
  },
  'deletes entries that readers still trust': {
    program: DROP,
    scope: { clients: 'AR', faults: 0, passes: 0 },
    bug: restless,
  },
  'keeps a definition that is gone': {
    program: DROP,
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: forgetting('B', String.raw`,\"gone\":true`),
  },
  'ignores the ETags of entries': {
    program: FAR,
    scope: { clients: 'BAC', faults: 0, passes: 0, mortal: 'B' },
    bug: ({ serve }) => ({
      serve: ({ headers, ...request }) =>
        serve({
          ...request,
          headers: headers['if-match'] ? { ...headers, 'if-match': '*' } : headers,
        }),
    }),
  },
  'inserts an entry, and does not look at its row again': {
    program: FAR,
    scope: { clients: 'ACB', faults: 0, passes: 0 },
    bug: staleRows,
  },
  'loses announcements': {
    program: 'an outbox and its worker',
    scope: { clients: 'AC', faults: 0, passes: 0 },
    bug: misplacing('~rk~qu~', (change) => change.includes('"DequeueCount":0')),
  },
  'ignores the version of the head of an outbox': {
    program: 'an outbox and its worker',
    scope: { clients: 'EC', faults: 0, passes: 0 },
    bug: forcing('~outbox~.'),
  },
  'leaves the head of an outbox to a write that no job waits for any more': {
    program: 'an outbox and its worker',
    scope: { clients: 'ACD', faults: 0, passes: 1 },
    bug: ({ serve }) => ({
      async serve(request) {
        const isHead = !request.path.endsWith('$batch') && request.body?.includes('~outbox~."')
        return isHead ? { status: 204, headers: { etag: 'W/"1"' }, body: '' } : serve(request)
      },
    }),
  },
  'loses messages': {
    program: 'an outbox and its worker',
    scope: { clients: 'AC', faults: 0, passes: 0 },
    bug: misplacing('~rk~ob~', (change) => !change.includes('~."')),
  },
  'applies parts of a rejected transaction': {
    program: 'an outbox and its worker',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: ({ serve }) => ({ serve: applyingParts(serve) }),
  },
  'shows received messages': {
    program: 'receivers of a queue',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: ({ serve }) => ({
      serve: (request) => serve({ ...request, query: request.query.replace(/(qu~)\d+/, '$19') }),
    }),
  },
  'does not hide received messages': {
    program: 'receivers of a queue',
    scope: { clients: 'AB', faults: 0, passes: 0 },
    bug: changing(() => (change) => change.replace(/("RowKey":"~rk~qu~)\d+/, '$1001795176000000')),
  },
}
