import type { TemplatePart } from '../keys/template-part.ts'
import type { EntityModel } from './entity-model.ts'

/** The parts of both keys from which their values can be read back. */
export function partsIn({
  partitionKey,
  rowKey,
}: Pick<EntityModel<object>, 'partitionKey' | 'rowKey'>): TemplatePart[] {
  return [...partitionKey.segments, ...rowKey.segments].filter(
    (segment) => typeof segment === 'object' && segment.isReadable,
  ) as TemplatePart[] // what is no object is text
}
