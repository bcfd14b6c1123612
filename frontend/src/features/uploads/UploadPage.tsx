import { useSearchParams } from "react-router";

import { ImportJob } from "@/features/uploads/ImportJob";
import { UploadForm } from "@/features/uploads/UploadForm";
import classes from "@/features/uploads/Uploads.module.css";
import { PageHeader } from "@/ui/PageHeader";

/** Choose files, watch the import, read the result. Reloading returns to the job. */
export function UploadPage() {
  const [params, setParams] = useSearchParams();
  const jobId = params.get("job");
  return (
    <>
      <PageHeader title="Upload" guide="import-and-export" />
      <div className="ts-scroll">
        <div className={`ts-column ${classes.column}`}>
          {jobId === null ? (
            <UploadForm onStarted={(id) => setParams({ job: id })} />
          ) : (
            <ImportJob jobId={jobId} onAgain={() => setParams({})} />
          )}
        </div>
      </div>
    </>
  );
}
