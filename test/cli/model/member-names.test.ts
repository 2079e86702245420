import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { modelOf } from './model-of.ts'

describe('a pulled model', () => {
  it('names members that a class cannot have after their stored names', async () => {
    const text = await modelOf([
      new DynamicEntity('a', 'b', [
        ['constructor', 1],
        ['etag', 'x'],
        ['__proto__', 2],
      ]),
    ])
    expect(text).toContain("@StoreAs('constructor') @Property('Int32') constructor_!: number")
    expect(text).toContain("@StoreAs('etag') @Property('String') etag_!: string")
    expect(text).toContain("@StoreAs('__proto__') @Property('Int32') __proto___!: number")
  })
})
