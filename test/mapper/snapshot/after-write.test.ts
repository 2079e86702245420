import { describe, expect, it } from 'vitest'
import { losingAccount } from '../fresh-account.ts'
import { at, jeff, Player, players } from './players.ts'

describe('a write in doubt', () => {
  it('lets the next merge send only what that write had sent', async () => {
    const { account, lose } = losingAccount()
    const table = account.table(Player)
    await table.create()
    const mine = await table.insert(jeff({ points: 1, clan: 'Rooks' }))
    const rival = await table.get([...at])
    lose(true)
    mine.points = 2
    await expect(table.merge(mine, { etag: '*' })).rejects.toThrow()
    lose(false)
    rival.clan = 'Knights'
    await table.merge(rival, { etag: '*' })
    await table.merge(mine, { etag: '*' })
    expect(await table.get([...at])).toMatchObject({ points: 2, clan: 'Knights' })
  })

  it('lets overlapping merges past others leave alone what they did not send', async () => {
    const { table, rows } = await players()
    const mine = await table.insert(jeff({ points: 1, clan: 'Rooks' }))
    mine.points = 2
    const first = table.merge(mine, { etag: '*' })
    mine.motto = 'go'
    const second = table.merge(mine, { etag: '*' })
    await Promise.all([first, second])
    await rows.merge((await rows.get([...at])).set('clan', 'Knights'))
    mine.points = 3
    await table.merge(mine, { etag: '*' })
    expect(await table.get([...at])).toMatchObject({ points: 3, clan: 'Knights', motto: 'go' })
  })
})

describe('what an attack on the snapshot found', () => {
  it('a property that a lost write may have stored cannot be removed by a merge', async () => {
    const { account, lose } = losingAccount()
    const [table, rows] = [account.table(Player), account.table('players')]
    await table.create()
    const mine = await table.insert(jeff({ points: 1 }))
    const row = await rows.get([...at])
    lose(true)
    mine.clan = 'Rooks'
    await expect(table.merge(mine, { etag: '*' })).rejects.toThrow()
    await expect(rows.merge(row.set('z', 1), { etag: '*' })).rejects.toThrow()
    lose(false)
    Reflect.deleteProperty(mine, 'clan')
    row.delete('z')
    await expect(table.merge(mine, { etag: '*' })).rejects.toThrow(/clan.*cannot remove/)
    await expect(rows.merge(row, { etag: '*' })).rejects.toThrow(/'z'.*cannot remove/)
  })
})
