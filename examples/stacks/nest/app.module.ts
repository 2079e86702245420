import { Module } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { Customer } from '../shared/customer.ts'
import { CustomersController } from './customers.controller.ts'
import { ProblemFilter } from './problem.filter.ts'
import { TablesModule } from './tables.module.ts'

@Module({
  imports: [
    TablesModule.forRoot(process.env.TABLES ?? 'memory:'),
    TablesModule.forFeature(Customer),
  ],
  controllers: [CustomersController],
  providers: [{ provide: APP_FILTER, useClass: ProblemFilter }],
})
export class AppModule {}
