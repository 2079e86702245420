import type { EntityModel } from '@rowkey/mapper'
import { keptMark } from '@rowkey/rest'

/*
 * Rows that are kept beside the entities of a model have RowKeys of this form, and so have the partitions that hold nothing else:
 *
 *   ~rk~ix~<model>~<name>.<fingerprint>~…   an entry of an index
 *   ~rk~su~<model>~<name>.<fingerprint>~…   a group of a sum
 *   ~rk~ob~<model>~<name>~…                 a message of an outbox
 *   ~rk~cat~<model>~                        the catalogue, in the partition ~rk~
 *   ~rk~ver~<model>                         how many rows have which version, in the same partition: of rowkey upgrade
 *   ~rk~qu~…                                a message of a queue in a table, in the partition of the queue
 */

/** What a kept row is: an entry of an index, a group of a sum, a message of an outbox, or a catalogue. */
export type KeptKind = 'ix' | 'su' | 'ob' | 'cat'

/** The partition of the catalogues. */
export const KEPT_PARTITION: string = keptMark

/** What the RowKeys of the messages of a queue begin with. */
export const QUEUED: string = `${keptMark}qu~`

/**
 * Returns what the RowKeys of some kept rows begin with.
 *
 * @param kind - what they are
 * @param model - the model of their entities
 * @param name - tells them from the others of the model; none when absent
 */
export function keptBeginning(kind: KeptKind, model: EntityModel<object>, name?: string): string {
  const own = `${keptMark}${kind}~${modelMark(model)}~`
  return name === undefined ? own : `${own}${name}~`
}

/** Tells a model from the others of its tables: by the beginnings of its keys, and by its discriminator. */
function modelMark({ partitionKey, rowKey, discriminator }: EntityModel<object>): string {
  const partition = partitionKey.prefix({})
  const type = discriminator === undefined ? '' : `=${discriminator.value}`
  const mark = `${rowKey.prefix({})}${type}${partition === '' ? '' : `@${partition}`}`
  return encodeURIComponent(mark).replaceAll('~', '%7E')
}
