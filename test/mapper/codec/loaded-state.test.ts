import { describe, expect, it } from 'vitest'
import {
  keepLoadedState,
  loadedRaw,
  loadedState,
} from '../../../packages/mapper/src/codec/loaded-state.ts'

const state = { raw: { x: 1 }, etag: 'W/"1"', projected: false }

describe('loaded state', () => {
  it('stays with the object it was kept for', () => {
    const [one, other] = [{}, {}]
    keepLoadedState(one, state)
    expect(loadedState(one)).toBe(state)
    expect(loadedState(other)).toBeUndefined()
  })

  it('can be replaced', () => {
    const entity = {}
    keepLoadedState(entity, state)
    keepLoadedState(entity, { ...state, etag: 'W/"2"' })
    expect(loadedState(entity)?.etag).toBe('W/"2"')
  })

  it('is seen by no enumeration, JSON, comparison or copy', () => {
    const entity = { age: 5 }
    keepLoadedState(entity, state)
    expect(Reflect.ownKeys(entity)).toEqual(['age'])
    expect(JSON.stringify(entity)).toBe('{"age":5}')
    expect(entity).toEqual({ age: 5 })
    expect(loadedState({ ...entity })).toBeUndefined()
    expect(loadedState(structuredClone(entity))).toBeUndefined()
  })

  it('can be kept for a frozen object', () => {
    const entity = Object.freeze({ age: 5 })
    keepLoadedState(entity, state)
    expect(loadedState(entity)).toBe(state)
  })
})

describe('loadedRaw', () => {
  it('parses a text once, at first need', () => {
    const entity = {}
    keepLoadedState(entity, { ...state, raw: '{"x":3.0}' })
    const raw = loadedRaw(entity)
    expect(raw).toEqual({ 'x@odata.type': 'Edm.Double', x: 3 })
    expect(loadedRaw(entity)).toBe(raw)
    expect(loadedState(entity)?.etag).toBe('W/"1"')
  })

  it('is nothing for an object that was never read', () => {
    expect(loadedRaw({})).toBeUndefined()
  })
})
