import { Account } from '@rowkey/mapper'
import { DynamicEntity, dynamicEntityCodec, type EntityProperty } from '@rowkey/odata'
import { deleteEntity, insertOrMergeEntity, insertOrReplaceEntity, perform } from '@rowkey/rest'
import { nameOfPlace } from './history-requests.ts'
import type { Say } from './history-runner.ts'
import type { Scene, View } from './history-scenes.ts'
import type { AnyTable, Place, Services } from './history-services.ts'

/** Another program that writes the same rows. */
export interface Rival {
  readonly services: Services
  readonly scene: Scene
  readonly place: Place
  readonly say: Say
}

/** What makes a rival's row one of a kind. */
export interface RivalMark {
  readonly index: number
  /** Written by merges as well, which makes a row of another kind of it. */
  readonly always: boolean
}

/**
 * Another program writes one row, past every client.
 *
 * @param values - choose among what rivals store
 * @returns whether there was anything to do
 */
export async function rivalWrites(
  { scene, place, say }: Rival,
  how: 'merge' | 'replace' | 'delete',
  values: readonly number[],
  mark: RivalMark,
): Promise<boolean> {
  const { log, table, key } = place
  const name = nameOfPlace(place)
  const input = { table, key: { partitionKey: key[0], rowKey: key[1] } }
  if (how === 'delete') {
    if (log.row(name) === undefined) return false
    say(`rival: delete ${name}`)
    await perform(log.direct, deleteEntity, { ...input, body: '', etag: '*' }, {})
    return true
  }
  if (scene.rivalView !== undefined) {
    say(`rival: replace ${name} with values ${values.join(', ')}`)
    await writeBy(scene.rivalView, place, values)
    return true
  }
  const isMarked = how === 'replace' || mark.always || log.row(name) === undefined
  const marks = isMarked ? (scene.marks[mark.index % scene.marks.length] ?? new Map()) : new Map()
  const row = new DynamicEntity(key[0], key[1], [...chosen(scene, values), ...marks])
  const body = dynamicEntityCodec.write(row)
  say(`rival: ${how} ${name} ${body.length > 200 ? `${body.slice(0, 200)}…` : body}`)
  const operation = how === 'merge' ? insertOrMergeEntity : insertOrReplaceEntity
  await perform(log.direct, operation, { ...input, body }, {})
  return true
}

function chosen({ rivals }: Scene, values: readonly number[]): [string, EntityProperty][] {
  const all = [...rivals]
  return values.flatMap((value) => {
    const [name, given] = all[value % all.length] ?? []
    const property = given?.[value % given.length]
    return name === undefined || property === undefined ? [] : [[name, property]]
  })
}

/** A row that only its own model can make, such as a signed one. */
async function writeBy(
  view: View,
  { log, table, key }: Place,
  values: readonly number[],
): Promise<void> {
  const [kind] = view.kinds
  if (kind === undefined) return
  const opened = view.open(new Account(log.direct), table) as AnyTable
  const entity = Object.assign(kind.create(), { [kind.keys[0]]: key[0], [kind.keys[1]]: key[1] })
  for (const value of values) {
    const column = kind.columns[value % kind.columns.length]
    column?.set(entity, column.values[value % column.values.length])
  }
  await opened.insertOrReplace(entity)
}
