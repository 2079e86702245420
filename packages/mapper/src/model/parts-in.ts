import type { TemplatePart } from '../keys/template-part.ts'
import type { EntityModel } from './entity-model.ts'

/** Returns the parts of both keys whose values can be read back. */
export function partsIn({
  partitionKey,
  rowKey,
}: Pick<EntityModel<object>, 'partitionKey' | 'rowKey'>): TemplatePart[] {
  return [...partitionKey.segments, ...rowKey.segments].flatMap((segment) =>
    typeof segment === 'object' && segment.isReadable ? [segment] : [],
  )
}
