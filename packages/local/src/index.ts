export type { BearerCheck, BearerRequest } from './access/bearer-check.ts'
export type { Controls } from './control/controls.ts'
export { type ManualClock, manualClock } from './control/manual-clock.ts'
export { seededIds } from './control/seeded-ids.ts'
export { seededRandom } from './control/seeded-random.ts'
export type { LocalSnapshot } from './control/store-snapshot.ts'
export { type LocalErrorCode, localErrorCodes } from './errors/codes.ts'
export { ListenError, type ListenErrorOptions } from './errors/listen-error.ts'
export { StoreError, type StoreErrorCode, type StoreErrorOptions } from './errors/store-error.ts'
export type { ListenLimits } from './http/listen-limits.ts'
export type { Pause } from './http/pause.ts'
export type { AddedFault, FaultRule, Faults } from './injection/fault-rule.ts'
export type {
  CutPageFault,
  DuplicateDeliveryFault,
  InjectedFault,
  LateAnswerFault,
  LostFault,
  PassingCode,
  RefusalFault,
  SlowBodyFault,
  TruncatedBodyFault,
  WrongClockFault,
} from './injection/injected-fault.ts'
export {
  type LocalListener,
  type LocalTableService,
  localTableService,
} from './local-table-service.ts'
export type { ReplicatedWrite, ReplicationOptions } from './replication/replicated-write.ts'
export type { OperationName } from './requests/operation-name.ts'
export type { RequestFacts } from './requests/request-facts.ts'
export type { Requests } from './requests/request-log.ts'
export type { RequestRecord } from './requests/request-record.ts'
export type { LocalAccount } from './service/account.ts'
export type {
  ListenOptions,
  LocalTableServiceOptions,
  TableDeletionOptions,
} from './service/local-options.ts'
export { type StartOptions, startLocalService } from './start-local-service.ts'
