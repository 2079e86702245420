import { describe, expect, it } from 'vitest'
import {
  CALL_OPTION_NAMES,
  WRITE_OPTION_NAMES,
} from '../../../packages/mapper/src/table/option-names.ts'

describe('option names', () => {
  it('are those of every call, and the etag where something is overwritten', () => {
    expect([...CALL_OPTION_NAMES].sort()).toEqual([
      'context',
      'deadline',
      'locationMode',
      'retry',
      'signal',
      'timeout',
    ])
    expect([...WRITE_OPTION_NAMES].sort()).toEqual([
      'context',
      'deadline',
      'etag',
      'locationMode',
      'retry',
      'signal',
      'timeout',
    ])
  })
})
