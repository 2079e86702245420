import type { EdmType } from '@rowkey/odata'
import type { EntityModel } from './entity-model.ts'

/** A stored property that holds the same in every entity of a model. */
export interface Mark {
  /** The stored name. */
  readonly name: string
  readonly type: EdmType & ('String' | 'Int32')
  readonly value: string | number
}

/** What is stored with every entity of a model to say what it is: its type and its version. */
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
