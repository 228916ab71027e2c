// The registry of files that are generated from the code: add an entry here, then run `npm run generate`.
import { describePublicApi } from '../src/api-document.ts';
import { describeDashboardApi } from '../src/platform/http/openapi.ts';
import { dashboardRoutes, publicRoutes } from '../src/routes.ts';
import { listChecksums } from './check-migrations.ts';
import { writeChartAlerts, writeChartProviders } from './generate-chart-files.ts';
import { writeClientErrors } from './generate-client-errors.ts';
import { writeClientTypes } from './generate-client-types.ts';
import { writeConfigurationPage } from './generate-configuration-page.ts';
import { writeDashboardTypes } from './generate-dashboard-types.ts';
import { writeDecisionsPage } from './generate-decisions-page.ts';
import { writeDocsIndex } from './generate-docs-index.ts';
import { writeMetricsPage } from './generate-metrics-page.ts';
import { writeMobilePage } from './generate-mobile-page.ts';
import { writeEndpointsPage, writeErrorsPage } from './generate-pages.ts';
import { writeProviderNames } from './generate-provider-names.ts';
import { writeProviderSetupPage } from './generate-provider-setup-page.ts';
import { writeProvidersPage } from './generate-providers-page.ts';
import { writePythonErrors, writePythonOperations } from './generate-python-client.ts';
import { describeMigratedSchema } from './generate-schema.ts';
import { writeScoresPage } from './generate-scores-page.ts';
import { writeServiceMetricsPage } from './generate-service-metrics-page.ts';
import { writeSportsPage } from './generate-sports-page.ts';
import type { GeneratedFile } from './generated-file.ts';
import { readExamples } from './read-examples.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'server/migrations/schema.sql', make: describeMigratedSchema },
  { path: 'server/migrations/checksums.txt', make: async () => listChecksums() },
  {
    path: 'docs/openapi.json',
    make: async () => `${JSON.stringify(describePublicApi(readExamples()), null, 2)}\n`,
  },
  {
    path: 'docs/openapi-dashboard.json',
    make: async () => `${JSON.stringify(describeDashboardApi(dashboardRoutes, DEFAULT_URL), null, 2)}\n`,
  },
  { path: 'dashboard/src/api/types.gen.ts', make: async () => writeDashboardTypes(dashboardRoutes) },
  { path: 'dashboard/src/shared/user/provider-names.gen.ts', make: async () => writeProviderNames() },
  { path: 'sdk/client/src/operations.gen.ts', make: async () => writeClientTypes(publicRoutes) },
  { path: 'sdk/client/src/errors.gen.ts', make: async () => writeClientErrors(publicRoutes) },
  { path: 'sdk/python/tributary/operations_gen.py', make: async () => writePythonOperations(publicRoutes) },
  { path: 'sdk/python/tributary/errors_gen.py', make: async () => writePythonErrors(publicRoutes) },
  { path: 'deploy/helm/tributary/templates/_providers.tpl', make: async () => writeChartProviders() },
  { path: 'deploy/helm/tributary/alerts.yml', make: writeChartAlerts },
  { path: 'docs/endpoints.md', make: async () => writeEndpointsPage(publicRoutes) },
  { path: 'docs/metrics.md', make: async () => writeMetricsPage() },
  { path: 'docs/service-metrics.md', make: async () => writeServiceMetricsPage() },
  { path: 'docs/provider-setup.md', make: async () => writeProviderSetupPage() },
  { path: 'docs/providers.md', make: async () => writeProvidersPage() },
  { path: 'docs/scores.md', make: async () => writeScoresPage() },
  { path: 'docs/mobile.md', make: writeMobilePage },
  { path: 'docs/sports.md', make: async () => writeSportsPage() },
  { path: 'docs/errors.md', make: async () => writeErrorsPage() },
  { path: 'docs/configuration.md', make: async () => writeConfigurationPage() },
  { path: 'docs/decisions/README.md', make: writeDecisionsPage },
  { path: 'docs/README.md', make: writeDocsIndex },
];
