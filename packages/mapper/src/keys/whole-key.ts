import { KeyCodec } from './key-codec.ts'
import { TemplatePart } from './template-part.ts'

/** The key that is one text property, as it is. */
export function wholeKey(property: string): KeyCodec {
  return new KeyCodec([new TemplatePart(property, '', '')])
}

/** The property that a key is, as it is; `undefined` for a key that is made in any other way. */
export function wholeKeyOf({ segments }: KeyCodec): string | undefined {
  const [only, more] = segments
  if (typeof only !== 'object' || more !== undefined || only.text !== only.property)
    return undefined
  return only.property
}
