import { describe, expect, it } from 'vitest'
import { Itinerary } from '../../../packages/rest/src/retry/itinerary.ts'

const answer = (status: number) => ({ status, headers: {}, body: '' })

describe('Itinerary', () => {
  it('takes the locations in turn', () => {
    const itinerary = new Itinerary('secondaryThenPrimary')
    const places = [itinerary.location]
    for (let attempt = 0; attempt < 3; attempt++) {
      itinerary.moveOn(answer(503), 0)
      places.push(itinerary.location)
    }
    expect(places).toEqual(['secondary', 'primary', 'secondary', 'primary'])
  })

  it('takes from a wait what has passed since the location was left', () => {
    const itinerary = new Itinerary('primaryThenSecondary')
    expect(itinerary.isNew).toBe(true)
    itinerary.moveOn(undefined, 1000)
    expect(itinerary.isNew).toBe(true)
    expect(itinerary.waitFor(500, 1100)).toBe(0)
    itinerary.moveOn(undefined, 1100)
    expect(itinerary.isNew).toBe(false)
    expect(itinerary.waitFor(500, 1300)).toBe(200)
    expect(itinerary.waitFor(500, 9000)).toBe(0)
  })

  it('stays at the primary once the secondary lacks something', () => {
    const itinerary = new Itinerary('secondaryThenPrimary')
    expect(itinerary.mayLag).toBe(true)
    itinerary.moveOn(answer(404), 0)
    expect(itinerary.location).toBe('primary')
    expect(itinerary.mayLag).toBe(false)
    itinerary.moveOn(answer(503), 0)
    expect(itinerary.location).toBe('primary')
  })

  it('has nowhere else to look with the secondary alone', () => {
    const itinerary = new Itinerary('secondaryOnly')
    expect(itinerary.mayLag).toBe(false)
    itinerary.moveOn(answer(404), 0)
    expect(itinerary.location).toBe('secondary')
  })
})
