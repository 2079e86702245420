/** Rows that expire or are deleted softly: `import { lifetime, lifetimeOf } from 'rowkey/lifetime'`. */
export {
  type Lifetime,
  type LifetimeOptions,
  type LifetimeSubject,
  type LifetimeSweepOptions,
  LifetimeTable,
  lifetime,
  lifetimeOf,
  type RowLifetime,
} from '@rowkey/mapper'
