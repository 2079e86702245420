import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOfString } from '../../../packages/local/src/entity/entity-text.ts'

const text = fc.array(fc.constantFrom('"', '\\', 'a', '\n')).map((units) => units.join(''))

describe('endOfString', () => {
  it('is one past the closing quote, despite escapes before it', () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        const literal = JSON.stringify(first)
        expect(endOfString(`[${literal},${JSON.stringify(second)}]`, 1)).toBe(1 + literal.length)
      }),
    )
  })
})
