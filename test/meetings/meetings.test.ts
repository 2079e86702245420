import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusedPage } from '../../scripts/refused-combinations.ts'
import { casesToPlay } from '../support/cases-to-play.ts'
import { axes, meetingsOf, printMeeting } from './cells.ts'
import { play } from './play.ts'
import { combinationsOf, isRefusal, refusals } from './refusals.ts'
import { RunningServices } from './running-services.ts'

const services = new RunningServices()

beforeAll(() => services.start())
afterAll(() => services.close())

const shown = (title: string) => [title] as const

describe('every pair of features', () => {
  const meetings = meetingsOf(2).map(
    (meeting) => [...shown(printMeeting(meeting)), meeting] as const,
  )

  it('contains every value of each axis', () => {
    for (const [name, values] of Object.entries(axes)) {
      const met = new Set(meetings.map(([, meeting]) => meeting[name as keyof typeof meeting]))
      expect([name, [...met].sort()]).toEqual([name, [...values].sort()])
    }
  })

  it.each(casesToPlay(meetings, 3))('stores what it says: %s', async (_, meeting) => {
    const { found } = await play(meeting, services.of(meeting.service))
    expect(found).toEqual([])
  })
})

describe('a combination that is refused', () => {
  const always = refusals.filter(({ when }) => when === undefined)
  const combinations = always
    .flatMap((refusal) => combinationsOf(refusal))
    .map((meeting) => [...shown(printMeeting(meeting)), meeting] as const)

  it.each(combinations)('says why, and sends nothing: %s', async (_, meeting) => {
    const { found, mistake, sent } = await play(meeting, services.of(meeting.service))
    expect([isRefusal(meeting, mistake), found, sent]).toEqual([true, [], 0])
  })

  it('is listed in docs/project/refused-combinations.md, which `npm run tool refused` writes', async () => {
    const path = fileURLToPath(
      new URL('../../docs/project/refused-combinations.md', import.meta.url),
    )
    expect(readFileSync(path, 'utf8')).toBe(await refusedPage())
  })
})
