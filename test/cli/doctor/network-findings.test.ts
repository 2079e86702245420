import { expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'

it('stops at a name or a port that does not respond, with a remedy', async () => {
  const key = 'AccountName=contoso;AccountKey=c2VjcmV0'
  const nowhere = await runCli([
    'doctor',
    '--target',
    `DefaultEndpointsProtocol=https;${key};TableEndpoint=https://contoso.invalid`,
  ])
  expect(nowhere.code).toBe(1)
  expect(nowhere.printed).toMatch(
    /failed {4}name: contoso\.invalid has no address: \w+\.\n +Check the name/,
  )
  const closed = await runCli([
    'doctor',
    '--target',
    `${key};TableEndpoint=http://127.0.0.1:9/contoso`,
  ])
  expect([closed.code, closed.printed]).toEqual([
    1,
    expect.stringContaining('accepts no connection on port 9: ECONNREFUSED'),
  ])
  expect(closed.printed).not.toContain('c2VjcmV0')
})
