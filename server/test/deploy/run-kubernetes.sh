#!/usr/bin/env bash
# `npm run test:kubernetes` installs the chart with Helm on the cluster of KUBECONFIG, as docs/deployment.md says, and then upgrades it,
# deletes its pods and drains a node while requests are sent. For a cluster without other users: makes two namespaces, which it deletes,
# and cordons a node for some seconds. Its nodes must have TRIBUTARY_IMAGE and POSTGRES_IMAGE, or be able to pull them. 8 minutes.
# Not tested: ingress controllers, certificates, volumes for tombstones, whether network policies are enforced and the autoscaler scales,
# and an upgrade to a version with migrations.
set -Eeuo pipefail
trap 'echo "failed at line $LINENO: $BASH_COMMAND"; show_state' ERR
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

readonly HERE=server/test/deploy CHART=deploy/helm/tributary SPACE=tributary-test DATABASE_SPACE=tributary-test-database
readonly POSTGRES_IMAGE=${POSTGRES_IMAGE:-postgres:17-bookworm} REQUESTS_PER_SECOND=${REQUESTS_PER_SECOND:-50}
readonly TRIBUTARY_IMAGE=${TRIBUTARY_IMAGE:-tributary:$(sed -n 's/^appVersion: //p' $CHART/Chart.yaml)}
readonly URL=https://health.example.com OF_RELEASE=app.kubernetes.io/instance=tributary
export GUIDE=docs/deployment.md HELM_NAMESPACE=$SPACE
# shellcheck source=server/test/deploy/follow-guide.sh
. "$HERE/follow-guide.sh"
for needed in kubectl helm openssl; do
  command -v "$needed" >/dev/null || { echo "SKIPPED: $needed is not installed"; exit 77; }
done
# Never the cluster that happens to be the default of this machine.
[[ -n ${KUBECONFIG:-} ]] || { echo 'SKIPPED: KUBECONFIG names no cluster'; exit 77; }
kubectl get --raw /readyz >/dev/null 2>&1 || { echo 'SKIPPED: the cluster of KUBECONFIG does not answer'; exit 77; }
work=$(mktemp -d)
drained=''
spaces=()

main() {
  say "Kubernetes $(kubectl version --output json | sed -n '/serverVersion/,$s/.*"gitVersion": "\(.*\)".*/\1/p'), Helm $(helm version --template '{{.Version}}')"
  # Pods that break the rules of "restricted" are refused.
  create_space "$SPACE"
  quietly kubectl label namespace "$SPACE" pod-security.kubernetes.io/{enforce,warn}=restricted
  start_database
  say 'values' && accept_variants
  install
  look_into_pods
  replace_under_load
  fail_and_roll_back
  restore
  uninstall
  echo 'test:kubernetes passed'
}

start_database() {
  create_space "$DATABASE_SPACE"
  quietly theirs create configmap roles --from-file=deploy/postgres/create-roles.sh
  quietly theirs apply --validate=strict --filename - <<YAML
apiVersion: v1
kind: Pod
metadata: { name: postgres, labels: { app: postgres } }
spec:
  containers:
    - name: postgres
      image: $POSTGRES_IMAGE
      args: [postgres, -c, max_connections=200]
      env:
        - { name: POSTGRES_PASSWORD, value: superuser }
        - { name: POSTGRES_OWNER_PASSWORD, value: owner }
        - { name: POSTGRES_SERVICE_PASSWORD, value: service }
      resources: { requests: { cpu: 300m } }
      readinessProbe:
        exec: { command: [pg_isready, --host=127.0.0.1, --username=tributary_owner, --dbname=tributary] }
      volumeMounts: [{ name: roles, mountPath: /docker-entrypoint-initdb.d }]
  volumes: [{ name: roles, configMap: { name: roles, defaultMode: 0755 } }]
YAML
  quietly theirs expose pod postgres --port 5432
  quietly theirs wait pod/postgres --for condition=Ready --timeout 3m
  # Its address, for clusters without DNS.
  host=$(theirs get service postgres --output 'jsonpath={.spec.clusterIP}')
  master_key=$(openssl rand -base64 32)
  quietly ours create secret generic tributary-secrets --from-literal=TRIBUTARY_MASTER_KEY="$master_key" \
    --from-literal=DATABASE_URL="$(database_url service)" --from-literal=TRIBUTARY_MIGRATION_DATABASE_URL="$(database_url owner)"
}

database_url() {
  echo "postgresql://tributary_$1:${2:-$1}@$host/tributary"
}

# The API server accepts what the templates make of every value, sent as Helm 3 and as Helm 4 do.
accept_variants() {
  accept 'no value' --set "publicUrl=$URL,secrets.existingName=mine"
  local own
  own="publicUrl=$URL,secrets.databaseUrl=$(database_url service),secrets.masterKey=key"
  accept 'a Secret of the chart' --set "$own,secrets.redisUrl=redis://valkey,secrets.smtpUrl=smtp://mail,secrets.migrationDatabaseUrl=$(database_url owner)"
  accept 'volume, nodes, pull secret, proxies, settings' --set "$own,tombstones.existingClaim=claim,imagePullSecrets[0].name=pull" \
    --set 'trustedProxies=10.0.0.0/8\,fd00::/8,settings.TRIBUTARY_LOG_LEVEL=debug,api.nodeSelector.disk=ssd,api.tolerations[0].operator=Exists' \
    --set 'worker.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key=a' \
    --set 'worker.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator=Exists'
  accept 'an ingress class without TLS' --set "$own,ingress.className=nginx,ingress.tlsSecretName=" \
    --set 'ingress.annotations.nginx\.ingress\.kubernetes\.io/proxy-body-size=33m'
  accept 'no ingress, budget or migration' --set "$own,ingress.enabled=false,podDisruptionBudget.enabled=false,migrate.enabled=false"
  accept 'one process of each, no drain' --set "$own,api.replicas=1,worker.replicas=1,api.drainSeconds=0"
  accept 'node port, a budget of 30 %' --set "$own,service.type=NodePort,service.port=8080,podDisruptionBudget.maxUnavailable=30%"
  accept 'autoscaling and network policies' --set "$own,api.autoscaling.enabled=true,networkPolicy.enabled=true" \
    --set 'networkPolicy.extraEgress[0].to[0].ipBlock.cidr=192.0.2.1/32'
  accept 'a digest, a certificate, an account, labels and spread of yours' \
    --set "$own,image.digest=sha256:$(openssl rand -hex 32),serviceAccountName=default,priorityClassName=high" \
    --set 'podLabels.team=health,podAnnotations.note=x,service.annotations.note=x' \
    --set 'extraVolumes[0].name=ca,extraVolumes[0].configMap.name=ca,extraVolumeMounts[0].name=ca,extraVolumeMounts[0].mountPath=/ca' \
    --set 'api.topologySpreadConstraints[0].topologyKey=rack,api.topologySpreadConstraints[0].maxSkew=1' \
    --set 'api.topologySpreadConstraints[0].whenUnsatisfiable=DoNotSchedule'
  release=1e3 accept 'a release whose name YAML reads as a number' --set "$own"
  if kubectl get crd {podmonitors,prometheusrules}.monitoring.coreos.com >/dev/null 2>&1; then
    accept 'objects of the Prometheus operator' --set "$own,metrics.podMonitor.enabled=true,metrics.prometheusRule.enabled=true"
  else
    echo 'SKIPPED: the cluster has no Prometheus operator, so it does not validate its objects'
  fi
}

accept() {
  helm template "${release:-tributary}" "$CHART" "${@:2}" >"$work/objects.yaml"
  local side
  for side in false true; do
    quietly ours apply --dry-run=server --validate=strict --server-side=$side --filename "$work/objects.yaml"
    if grep Warning "$work/step.log"; then return 1; fi
  done
  echo "accepted: $1"
}

# Small requests, so that the pods of one node fit on the others.
install() {
  say 'install' && printf '%s: { resources: { requests: { cpu: 50m, memory: 128Mi } } }\n' api worker >"$work/values.yaml"
  local block
  block=$(read_block 'helm install')
  quietly bash -c "${block/registry.example.com\/tributary/"${TRIBUTARY_IMAGE%:*}"} \
    --set-string image.tag=${TRIBUTARY_IMAGE##*:} --values $work/values.yaml --wait --timeout 5m"
  retry settled
  say 'the commands of its notes'
  helm get notes tributary | sed -n 's/^  kubectl/kubectl/p' >"$work/notes.sh"
  bash -eu "$work/notes.sh" >"$work/notes.log"
  key=$(grep -m 1 -oE 'sk_live_\w+' "$work/notes.log")
  tail -n 1 "$work/notes.log"
}

look_into_pods() {
  say 'the pods'
  local pod
  for pod in $(ours get pods --selector $OF_RELEASE --output name); do
    [[ $(inside "$pod" id -u) == 10001 ]]
    if inside "$pod" touch /opt/tributary/x 2>/dev/null; then echo 'the root can be written' && return 1; fi
    [[ $(inside "$pod" env) != *MIGRATION_DATABASE_URL* ]]
    inside "$pod" tributary doctor >"$work/step.log" || { cat "$work/step.log"; return 1; }
  done
  inside deployment/tributary-api tributary keys list
  # Only the API pods.
  [[ $(ours get endpoints tributary --output 'jsonpath={.subsets[*].addresses[*].ip}' | wc -w) == 3 ]]
}

replace_under_load() {
  say "upgrade, deleted pods and a drained node at $REQUESTS_PER_SECOND requests/s"
  start_requests
  upgrade --set settings.TRIBUTARY_LOG_LEVEL=warn
  retry settled
  upgrade --set "secrets.existingName=,secrets.masterKey=$master_key" \
    --set "secrets.databaseUrl=$(database_url service),secrets.migrationDatabaseUrl=$(database_url owner)"
  retry settled
  local role
  for role in worker api; do
    quietly ours delete pod "$(read_first "$role" .metadata.name)"
    retry settled
  done
  if [[ $(kubectl get nodes --field-selector spec.unschedulable=false --output name | wc -l) -gt 1 ]]; then
    drained=$(read_first api .spec.nodeName)
    quietly kubectl drain "$drained" --pod-selector $OF_RELEASE --delete-emptydir-data --timeout 4m
    quietly kubectl uncordon "$drained"
    drained=''
    retry settled
  else
    echo 'SKIPPED: the cluster has one node, so none is drained'
  fi
  stop_requests
}

# An upgrade whose migration fails leaves the pods alone; a rollback brings the former Secret back.
fail_and_roll_back() {
  say 'an upgrade whose migration fails'
  local before
  before=$(list_pods)
  start_requests
  if upgrade --set "secrets.migrationDatabaseUrl=$(database_url owner wrong)"; then return 1; fi
  [[ $(list_pods) == "$before" && $(read_secret) == "$(database_url owner wrong)" ]]
  say 'rollback'
  quietly helm rollback tributary --wait --timeout 5m
  retry settled
  [[ $(read_secret) == "$(database_url owner)" ]]
  stop_requests
}

# The Job that docs/backup.md starts after the recovery of a database. Without a volume, its file of tombstones is new and empty.
restore() {
  say 'tombstones after a restore'
  quietly ours scale deployment tributary-api tributary-worker --replicas 0
  retry has_no_pods
  local block
  block=$(GUIDE=docs/backup.md read_block 'helm get values tributary')
  block=${block//values.yaml/$work/restored.yaml}
  quietly bash -euo pipefail -c "kubectl() { command kubectl --namespace $SPACE \"\$@\"; }; ${block//\/tombstones\/tombstones.jsonl//dev/null}"
  quietly ours scale deployment tributary-api --replicas 3
  quietly ours scale deployment tributary-worker --replicas 2
  retry settled
}

uninstall() {
  say 'uninstall'
  quietly helm uninstall tributary --wait --timeout 3m
  [[ $(ours get deployments,replicasets,services,ingresses,poddisruptionbudgets,networkpolicies --output name) == '' ]]
  # It is a hook, as the guide says.
  quietly ours get secret tributary
}

upgrade() {
  quietly helm upgrade tributary "$CHART" --reuse-values --wait --timeout 5m "$@"
}

start_requests() {
  quietly ours delete pod/load configmap/load --ignore-not-found
  quietly ours create configmap load --from-file="$HERE/send-requests.ts"
  quietly ours apply --validate=strict --filename - <<YAML
apiVersion: v1
kind: Pod
metadata: { name: load }
spec:
  restartPolicy: Never
  securityContext: { runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: load
      image: $TRIBUTARY_IMAGE
      command: [sh, -c, 'exec /opt/tributary/node_modules/node-linux-*/bin/node /load/send-requests.ts "\$@"', sh]
      args: ['http://$(ours get service tributary --output 'jsonpath={.spec.clusterIP}')', $key, '$REQUESTS_PER_SECOND']
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
      resources: { requests: { cpu: 100m } }
      volumeMounts: [{ name: load, mountPath: /load }]
  volumes: [{ name: load, configMap: { name: load } }]
YAML
  quietly ours wait pod/load --for condition=Ready --timeout 1m
}

stop_requests() {
  inside pod/load sh -c 'kill -TERM 1'
  quietly ours wait pod/load --for 'jsonpath={.status.phase}=Succeeded' --timeout 1m || { ours logs load --tail 20; return 1; }
  ours logs load
}

create_space() {
  quietly kubectl create namespace "$1"
  spaces+=("$1")
}

ours() {
  kubectl --namespace "$SPACE" "$@"
}

theirs() {
  kubectl --namespace "$DATABASE_SPACE" "$@"
}

quietly() {
  "$@" >"$work/step.log" 2>&1 || { tail -n 40 "$work/step.log"; return 1; }
}

inside() {
  ours exec "$1" -- "${@:2}"
}

# Five pods are ready, and none ends.
settled() {
  [[ $(list_pods | wc -l) == 5 && $(list_pods | grep -c ' true $') == 5 ]]
}

has_no_pods() {
  [[ $(list_pods) == '' ]]
}

read_first() {
  ours get pods --selector "app.kubernetes.io/component=$1" --output "jsonpath={.items[0]$2}"
}

list_pods() {
  ours get pods --selector "$OF_RELEASE,app.kubernetes.io/component in (api, worker)" --sort-by .metadata.name \
    --output 'jsonpath={range .items[*]}{.metadata.name} {.status.containerStatuses[0].ready} {.metadata.deletionTimestamp}{"\n"}{end}'
}

read_secret() {
  ours get secret tributary --output 'jsonpath={.data.TRIBUTARY_MIGRATION_DATABASE_URL}' | base64 --decode
}

show_state() {
  ours get pods --output wide || true
  ours get events --sort-by .lastTimestamp | tail -n 15 || true
}

clean_up() {
  [[ -z $drained ]] || kubectl uncordon "$drained" || true
  ((${#spaces[@]} == 0)) || kubectl delete namespace "${spaces[@]}" >/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
main
