import { jsonText } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { isConverter } from '../../../packages/mapper/src/convert/converter.ts'

const [toStored, fromStored] = [() => '', () => '']

describe('isConverter', () => {
  it('accepts a converter', () => {
    expect(isConverter(jsonText())).toBe(true)
    expect(isConverter({ type: 'Int64', comparable: true, toStored, fromStored })).toBe(true)
    expect(isConverter({ type: 'Int64', toStored, fromStored, update: toStored })).toBe(true)
  })

  it.each([
    undefined,
    null,
    'String',
    { toStored, fromStored },
    { type: 'Edm.String', toStored, fromStored },
    { type: 'String', toStored },
    { type: 'String', toStored, fromStored: 'x' },
    { type: 'String', toStored, fromStored, comparable: 'yes' },
    { type: 'String', toStored, fromStored, update: 'always' },
  ])('rejects %o', (given) => {
    expect(isConverter(given)).toBe(false)
  })
})
