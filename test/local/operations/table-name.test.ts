import { describe, expect, it } from 'vitest'
import { checkTableName } from '../../../packages/local/src/operations/create-table.ts'

const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('checkTableName', () => {
  it.each(['abc', 'People2', 'a'.repeat(63), 'tables2'])('R-01: accepts %s', (name) => {
    expect(() => checkTableName(name)).not.toThrow()
  })

  it.each(['', '1ab', 'a-b', 'a_b', 'größe', 'abc ', 'abc\n', '啊齄丂'])(
    'R-01: rejects %j for its characters',
    (name) => {
      expect(() => checkTableName(name)).toThrow(code('InvalidResourceName'))
    },
  )

  it.each(['tables', 'Tables'])('R-01: rejects %s, which the service has', (name) => {
    expect(() => checkTableName(name)).toThrow(code('InvalidInput'))
  })

  it.each(['ab', 'a'.repeat(64)])('R-01: rejects %s for its length', (name) => {
    expect(() => checkTableName(name)).toThrow(code('OutOfRangeInput'))
  })
})
