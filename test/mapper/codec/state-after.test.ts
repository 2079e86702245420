import { describe, expect, it } from 'vitest'
import { keepLoadedState } from '../../../packages/mapper/src/codec/loaded-state.ts'
import { stateAfter, stateInDoubt } from '../../../packages/mapper/src/codec/state-after.ts'

const raw = { PartitionKey: 'a', RowKey: 'b', x: 1, y: 1 }
const names = new Set(['x', 'y'])
const merged = { body: '{"PartitionKey":"a","RowKey":"b","x":2}', whole: false, onto: 'W/"1"' }
const upserted = { ...merged, onto: undefined }

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

  it('no longer knows the rest of a row when the merge may have gone past what was read', () => {
    expect(stateInDoubt(known(), names, upserted)?.unread).toBe('since')
    expect(stateInDoubt(known({ unread: 'since' }), names, undefined)?.unread).toBe('since')
    expect(stateInDoubt(known(), names, { ...upserted, whole: true })?.unread).toBeUndefined()
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

  it('knows the rest of a row as long as each merge is into the version that was read or written', () => {
    expect(stateAfter(known(), 'W/"2"', merged).unread).toBeUndefined()
    expect(stateAfter(known({ etag: 'W/"3"' }), 'W/"4"', merged).unread).toBe('since')
    expect(stateAfter(known(), 'W/"2"', upserted).unread).toBe('since')
    expect(stateAfter(known({ etag: undefined }), 'W/"2"', upserted).unread).toBe('since')
  })

  it('does not know it again before the whole was written', () => {
    const passed = known({ unread: 'since' })
    expect(stateAfter(passed, 'W/"2"', merged).unread).toBe('since')
    expect(stateAfter(passed, 'W/"2"', undefined).unread).toBe('since')
    expect(stateAfter(passed, 'W/"2"', { ...upserted, whole: true }).unread).toBeUndefined()
  })

  it('never knew it of an object that was only merged', () => {
    const entity = {}
    keepLoadedState(entity, stateAfter(entity, 'W/"1"', upserted))
    keepLoadedState(entity, stateAfter(entity, 'W/"2"', upserted))
    expect(stateAfter(entity, 'W/"3"', merged).unread).toBe('never')
  })
})
