import type { EdmType } from '@rowkey/odata'
import type { EntityModel } from './entity-model.ts'

/** A stored property with the same value in every entity of a model. */
export interface Mark {
  /** The stored name. */
  readonly name: string
  readonly type: EdmType & ('String' | 'Int32')
  readonly value: string | number
}

/** Returns the type and the version that are stored with every entity of a model. */
export function marksOf({
  discriminator,
  version,
}: Pick<EntityModel<object>, 'discriminator' | 'version'>): readonly Mark[] {
  const marks: Mark[] = []
  if (discriminator !== undefined) {
    marks.push({ name: discriminator.property, type: 'String', value: discriminator.value })
  }
  if (version !== undefined) {
    marks.push({ name: version.property, type: 'Int32', value: version.number })
  }
  return marks
}
