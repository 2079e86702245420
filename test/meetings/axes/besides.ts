import type { Effect, Said } from '../oracle.ts'
import { at, NEWCOMER, TARGET, TARGET_KEY } from '../program.ts'
import { ACCOUNTS, PARTITION } from '../raw-rows.ts'
import { type Facts, placeOf, type StoredRow } from '../stored.ts'
import { type AnyTable, type Model, models, openGroups, openNoted } from './models.ts'
import type { RunningService } from './services.ts'
import type { Write } from './writes.ts'

/** Where another program acts beside the one of the cell. */
export interface Scene {
  readonly service: RunningService
  readonly model: Model
  readonly write: Write
  /** The name of the table of people. */
  readonly name: string
}

/** What another program does: it is always done. */
export interface Act {
  readonly effects: readonly Effect[]
  run(): Promise<unknown>
}

/** Who uses the table at the same time. */
export interface Beside {
  /** Acts before the program writes. */
  before?(scene: Scene): Act
  /** Acts when the call of the program has ended. */
  after?(scene: Scene): Act
}

const exists = (row: StoredRow | undefined): boolean => row !== undefined
const noted =
  (note: string) =>
  (row: StoredRow | undefined): Facts => ({ ...row?.facts, note })

/** Changes the note of the target. */
async function takeNote(table: AnyTable, note: string): Promise<void> {
  const target = await table.get(TARGET_KEY)
  if ('set' in target && typeof target.set === 'function') target.set('note', note)
  else Object.assign(target, { note })
  await table.merge(target)
}

/** The model of those who use the table as the program does. */
function latest(model: Model): Model {
  return model.latest === undefined ? model : models[model.latest]
}

function openTable(
  { service, model, name }: Scene,
  account = ACCOUNTS[0] as (typeof ACCOUNTS)[number],
): AnyTable {
  return latest(model).open(service.open(account).account, name)
}

/** Stores a person anew. */
function storing(scene: Scene, rowKey: string, name: string): Act {
  return {
    effects: [
      {
        place: at(rowKey),
        holds: () => true,
        makes: () => ({ name }),
      },
    ],
    run: () => openTable(scene).insertOrReplace(latest(scene.model).make(rowKey, name)),
  }
}

export const besides = {
  'no other program': {},
  'a rival': {
    before(scene) {
      if (scene.write.rival === 'inserts the newcomer') return storing(scene, NEWCOMER, 'Rival')
      if (scene.write.rival === 'deletes the target') {
        return {
          effects: [{ place: at(TARGET), holds: exists, makes: () => undefined }],
          run: () => openTable(scene).delete(TARGET_KEY, { etag: '*' }),
        }
      }
      return {
        effects: [{ place: at(TARGET), holds: exists, makes: noted('rival') }],
        run: () => takeNote(openTable(scene), 'rival'),
      }
    },
    after: (scene) =>
      storing(
        scene,
        scene.write.rival === 'inserts the newcomer' ? NEWCOMER : TARGET,
        'Rival later',
      ),
  },
  'an old program': {
    before(scene) {
      const { openOther = openNoted } = scene.model
      return {
        effects: [{ place: at(TARGET), holds: exists, makes: noted('other program') }],
        run: () => takeNote(openOther(scene.service.open().account, scene.name), 'other program'),
      }
    },
  },
  'a second account': {
    before: (scene) => ({
      effects: [
        { place: placeOf(TARGET, 'people', ACCOUNTS[1]), holds: exists, makes: noted('second') },
      ],
      run: () => takeNote(openTable(scene, ACCOUNTS[1]), 'second'),
    }),
  },
  'another model': {
    before: ({ service, name }) => ({
      effects: [
        {
          place: at('q_1'),
          holds: () => true,
          makes: () => ({ size: '2.0 as Double' }),
        },
      ],
      run: () =>
        openGroups(service.open().account, name).insertOrReplace({
          city: PARTITION,
          which: '1',
          size: 2,
        }),
    }),
  },
} satisfies Readonly<Record<string, Beside>> as Readonly<Record<BesideName, Beside>>

/** The names of who is beside. */
export type BesideName =
  | 'no other program'
  | 'a rival'
  | 'an old program'
  | 'a second account'
  | 'another model'

/** What an act says, which nothing disturbs. */
export const done = ({ effects }: Act): readonly Said[] => effects.map(() => ({ how: 'done' }))
