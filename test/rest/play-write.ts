import {
  createTable,
  deleteEntity,
  deleteTable,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  perform,
  type TableService,
  type TableServiceSettings,
  updateEntity,
} from '@rowkey/rest'
import type { LostResponse, Write } from '../vectors/lost-responses.ts'
import { faultyService, prepare, rowOf } from './faulty-service.ts'

const conditional = {
  replace: updateEntity,
  merge: mergeEntity,
  delete: deleteEntity,
} as const

const unconditional = {
  get: getEntity,
  insert: insertEntity,
  insertOrReplace: insertOrReplaceEntity,
  insertOrMerge: insertOrMergeEntity,
} as const

/** Performs a write of the vectors. */
function write(service: TableService, what: Write, etag: string): Promise<unknown> {
  const row = rowOf(2)
  switch (what) {
    case 'create table':
      return perform(service, createTable, row)
    case 'delete table':
      return perform(service, deleteTable, row)
    case 'batch of inserts':
    case 'batch with a merge': {
      const change =
        what === 'batch of inserts'
          ? { operation: insertEntity, input: row }
          : { operation: mergeEntity, input: { ...row, etag } }
      const changes = [change, { operation: insertEntity, input: rowOf(3, 'Other') }]
      return perform(service, entityGroupTransaction, { table: 'people', changes })
    }
    case 'get':
    case 'insert':
    case 'insertOrReplace':
    case 'insertOrMerge':
      return perform<typeof row, unknown>(service, unconditional[what], row)
    default: {
      const [name = '', star] = what.split(' ')
      const operation = conditional[name as keyof typeof conditional]
      return perform(service, operation, { ...row, etag: star ?? etag })
    }
  }
}

const isInsert = ({ write }: LostResponse): boolean =>
  write === 'insert' || write === 'batch of inserts'

/** Plays one scenario; exact writes are a setting, and the service may be behind real sockets. */
export async function playWrite(
  given: LostResponse,
  settings?: TableServiceSettings,
  makeService: typeof faultyService = faultyService,
) {
  let etag = ''
  const faulty = await makeService(
    given.turns,
    async (rival) => {
      if (given.write === 'create table') return
      etag = (await prepare(rival, given.row ?? !isInsert(given))) ?? etag
    },
    settings,
  )
  const settled = await write(faulty.service, given.write, etag).then(
    (output) => ({ outcome: 'ok', output }),
    (error) => ({ outcome: error.code, error }),
  )
  return { ...faulty, settled, sent: faulty.requests.length }
}

/** The title of a scenario. */
export const titleOf = ({ write, row, turns }: LostResponse): string => {
  const where = row === undefined ? '' : row ? ' of an existing row' : ' of a missing row'
  return `${write}${where}: ${turns.map((turn) => [turn].flat().join(', ')).join('; ')}`
}
