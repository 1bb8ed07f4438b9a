; ModuleID = '/tmp/s/col.cu'
source_filename = "/tmp/s/col.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @cols(ptr noundef writeonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = and i32 %5, 31
  %7 = lshr i32 %5, 5
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = lshr i32 %8, 5
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = shl i32 %10, 5
  %12 = zext i32 %11 to i64
  %13 = getelementptr inbounds nuw float, ptr %1, i64 %12
  %14 = zext nneg i32 %6 to i64
  %15 = getelementptr inbounds nuw float, ptr %13, i64 %14
  %16 = icmp slt i32 %7, %2
  br i1 %16, label %23, label %17

17:                                               ; preds = %23, %4
  %18 = phi float [ 0.000000e+00, %4 ], [ %30, %23 ]
  %19 = mul i32 %10, %8
  %20 = add i32 %19, %5
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw float, ptr %0, i64 %21
  store float %18, ptr %22, align 4, !tbaa !11
  ret void

23:                                               ; preds = %4, %23
  %24 = phi i32 [ %31, %23 ], [ %7, %4 ]
  %25 = phi float [ %30, %23 ], [ 0.000000e+00, %4 ]
  %26 = mul nsw i32 %24, %3
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds float, ptr %15, i64 %27
  %29 = load float, ptr %28, align 4, !tbaa !11
  %30 = fadd contract float %25, %29
  %31 = add nuw nsw i32 %24, %9
  %32 = icmp slt i32 %31, %2
  br i1 %32, label %23, label %17, !llvm.loop !13
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @simple(ptr noundef writeonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = shl i32 %5, 5
  %7 = zext i32 %6 to i64
  %8 = getelementptr inbounds nuw float, ptr %1, i64 %7
  %9 = icmp sgt i32 %2, 0
  br i1 %9, label %10, label %33

10:                                               ; preds = %4
  %11 = and i32 %2, 3
  %12 = icmp ult i32 %2, 4
  br i1 %12, label %17, label %13

13:                                               ; preds = %10
  %14 = and i32 %2, 2147483644
  br label %41

15:                                               ; preds = %41
  %16 = icmp eq i32 %11, 0
  br i1 %16, label %33, label %17

17:                                               ; preds = %15, %10
  %18 = phi i32 [ 0, %10 ], [ %68, %15 ]
  %19 = phi float [ 0.000000e+00, %10 ], [ %67, %15 ]
  %20 = icmp ne i32 %11, 0
  tail call void @llvm.assume(i1 %20)
  br label %21

21:                                               ; preds = %21, %17
  %22 = phi i32 [ %30, %21 ], [ %18, %17 ]
  %23 = phi float [ %29, %21 ], [ %19, %17 ]
  %24 = phi i32 [ %31, %21 ], [ 0, %17 ]
  %25 = mul nsw i32 %22, %3
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds float, ptr %8, i64 %26
  %28 = load float, ptr %27, align 4, !tbaa !11
  %29 = fadd contract float %23, %28
  %30 = add nuw nsw i32 %22, 1
  %31 = add i32 %24, 1
  %32 = icmp eq i32 %31, %11
  br i1 %32, label %33, label %21, !llvm.loop !15

33:                                               ; preds = %15, %21, %4
  %34 = phi float [ 0.000000e+00, %4 ], [ %67, %15 ], [ %29, %21 ]
  %35 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %36 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %37 = mul i32 %5, %36
  %38 = add i32 %37, %35
  %39 = zext i32 %38 to i64
  %40 = getelementptr inbounds nuw float, ptr %0, i64 %39
  store float %34, ptr %40, align 4, !tbaa !11
  ret void

41:                                               ; preds = %41, %13
  %42 = phi i32 [ 0, %13 ], [ %68, %41 ]
  %43 = phi float [ 0.000000e+00, %13 ], [ %67, %41 ]
  %44 = phi i32 [ 0, %13 ], [ %69, %41 ]
  %45 = mul nsw i32 %42, %3
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %8, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !11
  %49 = fadd contract float %43, %48
  %50 = or disjoint i32 %42, 1
  %51 = mul nsw i32 %50, %3
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds float, ptr %8, i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !11
  %55 = fadd contract float %49, %54
  %56 = or disjoint i32 %42, 2
  %57 = mul nsw i32 %56, %3
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr %8, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !11
  %61 = fadd contract float %55, %60
  %62 = or disjoint i32 %42, 3
  %63 = mul nsw i32 %62, %3
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds float, ptr %8, i64 %64
  %66 = load float, ptr %65, align 4, !tbaa !11
  %67 = fadd contract float %61, %66
  %68 = add nuw nsw i32 %42, 4
  %69 = add i32 %44, 4
  %70 = icmp eq i32 %69, %14
  br i1 %70, label %15, label %41, !llvm.loop !17
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @strided(ptr noundef writeonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = shl i32 %5, 5
  %7 = zext i32 %6 to i64
  %8 = getelementptr inbounds nuw float, ptr %1, i64 %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = icmp slt i32 %9, %2
  br i1 %10, label %18, label %11

11:                                               ; preds = %18, %4
  %12 = phi float [ 0.000000e+00, %4 ], [ %25, %18 ]
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %14 = mul i32 %5, %13
  %15 = add i32 %14, %9
  %16 = zext i32 %15 to i64
  %17 = getelementptr inbounds nuw float, ptr %0, i64 %16
  store float %12, ptr %17, align 4, !tbaa !11
  ret void

18:                                               ; preds = %4, %18
  %19 = phi i32 [ %26, %18 ], [ %9, %4 ]
  %20 = phi float [ %25, %18 ], [ 0.000000e+00, %4 ]
  %21 = mul nsw i32 %19, %3
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds float, ptr %8, i64 %22
  %24 = load float, ptr %23, align 4, !tbaa !11
  %25 = fadd contract float %20, %24
  %26 = add nuw nsw i32 %19, 32
  %27 = icmp slt i32 %26, %2
  br i1 %27, label %18, label %11, !llvm.loop !18
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4, !5}
!llvm.errno.tbaa = !{!6}
!nvvmir.version = !{!10}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 9]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = !{i32 2, i32 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !8, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.unroll.disable"}
!17 = distinct !{!17, !14}
!18 = distinct !{!18, !14}
