import { describe, expect, it } from 'vitest'
import { keepLoadedState } from '../../../packages/mapper/src/codec/loaded-state.ts'
import { stateAfter, stateInDoubt } from '../../../packages/mapper/src/codec/state-after.ts'

const raw = { PartitionKey: 'a', RowKey: 'b', x: 1, y: 1 }
const names = new Set(['x', 'y'])
const merged = { body: '{"PartitionKey":"a","RowKey":"b","x":2}', whole: false }

function known(rest: object = {}): object {
  const entity = {}
  keepLoadedState(entity, { raw, etag: 'W/"1"', projected: true, ...rest })
  return entity
}

describe('stateInDoubt', () => {
  it('doubts every value, and keeps the ETag, the row and that it is a part', () => {
    const state = stateInDoubt(known(), names, merged)
    expect(state).toEqual({ raw, etag: 'W/"1"', projected: true, doubtful: names })
  })

  it('keeps the initial values that were not sent', () => {
    const defaults = new Map([
      ['x', ',"x":0'],
      ['z', ',"z":0'],
    ])
    const state = stateInDoubt(known({ defaults }), names, merged)
    expect(state?.defaults).toEqual(new Map([['z', ',"z":0']]))
  })

  it('is nothing where nothing was known', () => {
    expect(stateInDoubt({}, names, merged)).toBeUndefined()
  })
})

describe('stateAfter', () => {
  it('doubts no longer what was merged since', () => {
    const state = stateAfter(known({ doubtful: names }), 'W/"2"', merged)
    expect(state).toMatchObject({ raw: { x: 2, y: 1 }, etag: 'W/"2"', projected: true })
    expect(state.doubtful).toEqual(new Set(['y']))
  })

  it('knows everything once the whole was written', () => {
    const whole = { ...merged, whole: true }
    const state = stateAfter(known({ doubtful: names }), 'W/"2"', whole)
    expect(state).toEqual({ raw: merged.body, etag: 'W/"2"', projected: false })
  })

  it('is what it was, by a new ETag, when the body is not known', () => {
    expect(stateAfter(known(), 'W/"2"', undefined)).toEqual({ raw, etag: 'W/"2"', projected: true })
  })
})
