import { ModelError, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { checkModel } from '../../../packages/mapper/src/model/check-model.ts'
import { invalidName } from '../../support/rejections.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}
const column = (property: string, name = property) => ({ property, name, type: undefined })
const check = (columns: readonly ReturnType<typeof column>[], sample: object = {}) =>
  checkModel({ ...modelOf(Person), columns }, sample)

describe('checkModel', () => {
  it('accepts every name that the service accepts', () => {
    expect(() => check([column('age'), column('größe'), column('_x', 'x1')])).not.toThrow()
  })

  it('rejects one stored name for two members; upper and lower case differ', () => {
    expect(() => check([column('a', 'x'), column('b', 'x')])).toThrow(
      /^Person\.b: It is stored as 'x', and so is a\..*@StoreAs/,
    )
    expect(() => check([column('a', 'x'), column('b', 'X')])).not.toThrow()
  })

  it.each(['PartitionKey', 'RowKey', 'Timestamp'])('R-05: rejects %s as a stored name', (name) => {
    expect(() => check([column(name)])).toThrow(ModelError)
    expect(() => check([column('other', name)])).toThrow(
      `Person.other: The stored name '${name}' is reserved for the service.`,
    )
  })

  it.each(['first-name', '1st', 'a b', '', 'x'.repeat(256)])(
    'R-02: rejects %j as a stored name',
    (name) => {
      expect(() => check([column('member', name)])).toThrow(
        expect.objectContaining({
          code: 'InvalidModel',
          property: 'member',
          cause: invalidName,
        }),
      )
    },
  )

  it('R-03: rejects more than 252 columns', () => {
    const columns = (count: number) => Array.from({ length: count }, (_, at) => column(`c${at}`))
    expect(() => check(columns(252))).not.toThrow()
    expect(() => check(columns(253))).toThrow(/253 properties.* at most 252/)
  })

  it.each([
    ['an array', ['a']],
    ['a Map', new Map()],
    ['a symbol', Symbol('x')],
  ])('rejects a field that begins as %s', (_what, value) => {
    expect(() => check([column('tags')], { tags: value })).toThrow(/^Person\.tags: .*@Ignore\(\)/)
  })

  it('accepts a field whose initial value is null or undefined', () => {
    expect(() => check([column('a'), column('b')], { a: null, b: undefined })).not.toThrow()
  })
})
